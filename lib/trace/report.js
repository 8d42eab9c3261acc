"use strict";
(() => {
  const calls = [...document.querySelectorAll("details.call")];
  const summaries = calls.map((call) => call.querySelector("summary"));
  const go = (by) => {
    const at = summaries.indexOf(document.activeElement);
    const next = summaries[Math.min(Math.max(at + by, 0), summaries.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  const openTarget = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  addEventListener("hashchange", openTarget);
  openTarget();
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
    else if (event.key === "o") {
      const open = calls.some((call) => !call.open);
      for (const call of calls) call.open = open;
    } else return;
    event.preventDefault();
  });
})();
