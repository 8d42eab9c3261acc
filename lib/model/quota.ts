/**
 * How servers say that an account has nothing left, which no waiting changes.
 *
 * @module
 */

import { retryAfterMs } from "./retry_after.ts";

/** Source: the vendors' manuals of errors and the issues that quote them, as of November 2026. */
const FORMS: readonly { readonly servers: string; readonly words: RegExp }[] = [
  {
    servers: "OpenAI, Azure, Kimi",
    words: /insufficient_quota|exceeded_current_quota/i,
  },
  { servers: "OpenAI", words: /billing_hard_limit|billing hard limit|account is not active/i },
  {
    servers: "DeepSeek, SiliconFlow, MiniMax, Kimi, OpenRouter",
    words: /insufficient[ _](?:account )?(?:balance|credits?|funds)|balance is insufficient/i,
  },
  { servers: "Anthropic", words: /credit balance is too low|credit_balance/i },
  { servers: "OpenRouter", words: /requires more credits|can only afford|negative balance/i },
  { servers: "Volcano Ark", words: /AccountOverdue|overdue balance|SetLimitExceeded/i },
  { servers: "Qwen on DashScope", words: /Arrearage|FreeTierOnly|free allocated quota exceeded/i },
  { servers: "xAI", words: /used all available credits|monthly spending limit/i },
  { servers: "LiteLLM", words: /budget has been exceeded|ExceededBudget/i },
  {
    servers: "GLM, Qianfan, Hunyuan, Doubao, in Chinese",
    words:
      /余额不足|欠费|无可用资源包|(?:额度|配额|资源包)[^，。]{0,4}(?:用尽|用完|耗尽|不足)|请充值/,
  },
  { servers: "codes of GLM", words: /"code":\s?"?1113"?\b/ },
];

/** OpenAI means the account by it; Gemini also the requests of a minute, and says how long. */
const EITHER = /exceeded your current quota/i;

/**
 * Finds out whether a server says that the account has nothing left.
 *
 * @param words What the server says: its message, or the error of its body as JSON.
 */
export function isQuotaExhausted(words: string): boolean {
  if (FORMS.some((form) => form.words.test(words))) return true;
  return EITHER.test(words) && retryAfterMs(null, words, 0) === null;
}
