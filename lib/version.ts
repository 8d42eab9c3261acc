/**
 * The version of rein, as `--version` and `CHANGELOG.md` have it.
 *
 * @module
 */

/** Semantic version. */
export const VERSION = "0.1.0";
