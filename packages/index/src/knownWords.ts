/** Words in the titles and tags of tasks, to correct what people type. */
export interface KnownWords {
  /** Returns the words with each unknown one replaced by the known word nearest to it, or null if there is nothing to correct. */
  correct: (words: string) => string | null
}

/** As in pg_trgm. Less similar words are other words, not misspelt ones. */
const leastSimilarity = 0.3

/** The most words that are known, and the most words of a search that are compared with them: a few ms. */
const maxKnown = 2_000
const maxCompared = 3

const wordPattern = /[\p{L}\p{N}]{3,40}/gu

interface KnownWord {
  word: string
  /** How many times it occurs. */
  count: number
  trigrams: ReadonlySet<string>
}

/** Collects the words of texts, those of the first texts first. The texts and what is corrected must have no accents. */
export function collectWords(texts: Iterable<string>): KnownWords {
  const known = new Map<string, KnownWord>()
  for (const text of texts) {
    for (const word of text.toLowerCase().match(wordPattern) ?? []) {
      const before = known.get(word)
      if (before) before.count++
      else if (known.size < maxKnown) known.set(word, { word, count: 1, trigrams: listTrigrams(word) })
    }
  }

  function findNearest(given: string): string | null {
    const trigrams = listTrigrams(given)
    let best: { of: KnownWord; similarity: number } | null = null
    for (const of of known.values()) {
      let shared = 0
      for (const trigram of trigrams) if (of.trigrams.has(trigram)) shared++
      const similarity = shared / (trigrams.size + of.trigrams.size - shared)
      if (similarity < (best?.similarity ?? leastSimilarity)) continue
      if (!best || similarity > best.similarity || of.count > best.of.count) best = { of, similarity }
    }
    return best?.of.word ?? null
  }

  return {
    correct(words) {
      let compared = 0
      const corrected = words.replaceAll(wordPattern, (given) => {
        const word = given.toLowerCase()
        return known.has(word) || ++compared > maxCompared ? given : (findNearest(word) ?? given)
      })
      return corrected === words ? null : corrected
    },
  }
}

/** The groups of three letters of a word, with two blanks before it and one after it. */
function listTrigrams(word: string): ReadonlySet<string> {
  const letters = [...`  ${word} `]
  return new Set(letters.slice(2).map((_, index) => letters.slice(index, index + 3).join('')))
}
