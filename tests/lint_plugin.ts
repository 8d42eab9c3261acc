/**
 * rein's own lint rules: the outside world comes through ports, and what a
 * module exports is documented.
 *
 * @module
 */

/** Names of the outside world, and the members that are harmless. */
const WORLD: { readonly [name: string]: readonly string[] } = {
  Deno: [],
  console: [],
  process: [],
  performance: [],
  crypto: [],
};

/** Functions of the outside world. */
const WORLD_CALLS: readonly string[] = [
  "fetch",
  "setTimeout",
  "setInterval",
  "alert",
  "prompt",
  "confirm",
];

/** Where the outside world is built, or where tests and tools for people stand outside it. */
function isInside(filename: string): boolean {
  return /\/(lib|tools)\//.test(filename) && !/\/(lib\/real|tests|demo)\//.test(filename);
}

type Context = Deno.lint.RuleContext;

function reportWorld(context: Context, node: Deno.lint.Node, name: string): void {
  const message = `${name} belongs to the outside world; take it through lib/ports.ts`;
  context.report({ node, message });
}

const portsOnly: Deno.lint.Rule = {
  create(context) {
    if (!isInside(context.filename)) return {};
    return {
      MemberExpression(node) {
        const { object } = node;
        if (object.type === "Identifier" && object.name in WORLD) {
          reportWorld(context, node, object.name);
        }
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.type === "Identifier" && WORLD_CALLS.includes(callee.name)) {
          reportWorld(context, node, callee.name);
        }
        const now = callee.type === "MemberExpression" &&
          ["Date.now", "Math.random"].includes(context.sourceCode.getText(callee));
        if (now) reportWorld(context, node, context.sourceCode.getText(callee));
      },
      NewExpression(node) {
        const named = node.callee.type === "Identifier" && node.callee.name === "Date";
        if (named && node.arguments.length === 0) reportWorld(context, node, "new Date()");
      },
    };
  },
};

const documentedExports: Deno.lint.Rule = {
  create(context) {
    if (!isInside(context.filename) && !context.filename.includes("/lib/real/")) return {};
    return {
      ExportNamedDeclaration(node) {
        if (node.declaration === null) return;
        const comments = context.sourceCode.getCommentsBefore(node);
        const last = comments.at(-1);
        if (last?.type === "Block" && last.value.startsWith("*")) return;
        context.report({ node, message: "An export needs a docstring that says what it does" });
      },
    };
  },
};

/** The rules, as `deno lint` takes them. */
const plugin: Deno.lint.Plugin = {
  name: "rein",
  rules: { "ports-only": portsOnly, "documented-exports": documentedExports },
};

export default plugin;
