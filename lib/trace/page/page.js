"use strict";
(() => {
  const calls = [...document.querySelectorAll("details.call")];
  const go = (by) => {
    const seen = calls.map((call) => call.querySelector("summary"))
      .filter((summary) => summary.checkVisibility());
    const at = seen.indexOf(document.activeElement?.closest("details.call > summary"));
    const from = at === -1 && by < 0 ? seen.length : at;
    const next = seen[Math.min(Math.max(from + by, 0), seen.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  const openTarget = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let each = target; each; each = each.parentElement) {
      if (each instanceof HTMLDetailsElement) each.open = true;
    }
    target.scrollIntoView();
    target.querySelector("summary")?.focus({ preventScroll: true });
  };
  addEventListener("hashchange", openTarget);
  openTarget();
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
    else if (event.key === "o") {
      const all = [...calls, ...document.querySelectorAll("details.run")];
      const open = all.some((each) => !each.open);
      for (const each of all) each.open = open;
    } else return;
    event.preventDefault();
  });
  addEventListener("beforeprint", () => {
    for (const each of document.querySelectorAll("details")) each.open = true;
  });
})();
