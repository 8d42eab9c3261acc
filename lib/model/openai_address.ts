/**
 * Where OpenAI itself is; apart from the client, which is heavy to load.
 *
 * @module
 */

/** The default address, as the official SDKs have it. */
export const OPENAI_BASE_URL = "https://api.openai.com/v1";
