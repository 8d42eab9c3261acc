/**
 * Directories that are there for one test.
 *
 * @module
 */

/** Runs a test in a directory with these files, and removes it whatever happens. */
export async function inTempDir<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = await Deno.makeTempDir({ prefix: "rein-test-" });
  try {
    for (const [path, content] of Object.entries(files)) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      const whole = `${directory}/${path}`;
      await Deno.mkdir(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
      await Deno.writeFile(whole, bytes);
    }
    return await work(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
