/**
 * What rein says to people: messages by their ids, from a catalogue of one language.
 *
 * Programs and models are always told in English, whatever people read.
 *
 * @module
 */

import en from "./en.json" with { type: "json" };

/** The languages that there are catalogues of. */
export const LANGUAGES = ["en", "zh"] as const;

/** A language, by its code of ISO 639-1. */
export type Language = typeof LANGUAGES[number];

/** The name of a message; `_one` at the end of a key is a form of the message before it. */
export type MessageId = Exclude<keyof typeof en, `${string}_one`>;

/** What the placeholders of a message stand for; a message is said in the same language. */
export interface Values {
  readonly [name: string]: string | number | Message;
}

/** A message that is not said yet, where it is not known in which language it will be. */
export interface Message {
  readonly id: MessageId;
  readonly values: Values;
}

/** Words, or a message that becomes words once the language is known. */
export type Text = string | Message;

/** Texts by their keys; `{name}` is a placeholder. */
export type Catalogue = Readonly<Record<string, string>>;

/** Says messages in one language. */
export interface Say {
  /**
   * @param values One for each placeholder. `count` chooses the form, too: where it is 1, that of
   *   `_one`, if there is one.
   */
  (id: MessageId, values?: Values): string;
  readonly language: Language;
}

/** Says messages from a catalogue; a placeholder without a value stays as it is. */
export function sayFrom(language: Language, catalogue: Catalogue): Say {
  const say = (id: MessageId, values: Values = {}): string => {
    const one = values["count"] === 1 ? catalogue[`${id}_one`] : undefined;
    return (one ?? catalogue[id] ?? id).replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return placeholder;
      return typeof value === "object" ? say(value.id, value.values) : String(value);
    });
  };
  return Object.assign(say, { language });
}

/** What everybody is told who is no person, and people who want no other language. */
export const english: Say = sayFrom("en", en);

/** A message that is said later. */
export function message(id: MessageId, values: Values = {}): Message {
  return { id, values };
}

/** The words of a text. */
export function wordsOf(text: Text, say: Say): string {
  return typeof text === "string" ? text : say(text.id, text.values);
}

/** Loads what is needed to say something in a language; English is there anyway. */
export async function loadSay(language: Language): Promise<Say> {
  if (language === "en") return english;
  const { default: zh } = await import("./zh.json", { with: { type: "json" } });
  return sayFrom("zh", zh);
}
