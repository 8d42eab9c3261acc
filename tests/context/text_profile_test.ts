import { assertEquals } from "@std/assert";
import { Count, profileText } from "../../lib/context/text_profile.ts";

/** What was counted at all, by name. */
function counted(text: string): Record<string, number> {
  const profile = profileText(text);
  const names = Object.keys(Count) as (keyof typeof Count)[];
  const found = names.filter((name) => profile[Count[name]] !== 0);
  return Object.fromEntries(found.map((name) => [name, profile[Count[name]]!]));
}

Deno.test("profileText() counts words with the blank before them, and their long tails", () => {
  assertEquals(counted("The disk don't fragmentation"), {
    words: 4,
    wordsOver4: 9,
    wordsOver7: 6,
    wordsOver10: 3,
  });
});

Deno.test("profileText() cuts names at capitals and at marks", () => {
  assertEquals(counted("maxTokens.JSON"), {
    words: 1,
    gluedWordsOver4: 2,
    innerWords: 1,
    capitals: 1,
    capitalsOver2: 2,
  });
});

Deno.test("profileText() joins one mark with the word behind it, but not behind a blank", () => {
  assertEquals(counted("x.y"), { words: 1, markedWords: 1 });
  assertEquals(counted("x .y"), { words: 1, gluedWords: 1, singleMarks: 1 });
  assertEquals(counted("x([y"), { words: 1, gluedWords: 1, doubleMarks: 1 });
});

Deno.test("profileText() counts digits in threes, and letters beside them apart", () => {
  assertEquals(counted("a1b2c 1234567"), {
    shortMixed: 3,
    digitGroups: 5,
    spacedDigits: 1,
  });
});

Deno.test("profileText() counts runs of marks by what is in them", () => {
  assertEquals(counted('","'), { quotedMarks: 1 });
  assertEquals(counted("){}"), { longMarks: 1 });
  assertEquals(counted("----------"), { repeatedMarks: 1, repeatedMarksOver4: 6 });
});

Deno.test("profileText() gives one blank to what follows it, and takes indentation for one", () => {
  assertEquals(counted("{\n    a"), {
    words: 1,
    singleMarks: 1,
    blanks: 1,
    markedBreaks: 1,
  });
});

Deno.test("profileText() counts scripts by letters", () => {
  assertEquals(counted("磁盘，满了"), { hanRuns: 2, han: 4, widePunctuation: 1 });
  assertEquals(counted("диск"), { cyrillicWords: 1, cyrillic: 4 });
  assertEquals(counted("ディスク"), { kana: 4 });
  assertEquals(counted("디스크"), { hangul: 3 });
  assertEquals(counted("é→😀"), { words: 1, accents: 1, symbols: 1, surrogates: 2 });
});
