/** Bytes that must not contain a planted word. */
export interface Surface {
  /** Where the bytes are, for messages. */
  place: string
  bytes: Buffer
}

/** Words by name. A name says what a leak would mean. */
export type PlantedWords = Readonly<Record<string, string>>

/** Finds every word that a surface contains in some encoding. Returns `<name> as <encoding> in <place>`. */
export function findWords(words: PlantedWords, surfaces: readonly Surface[]): string[] {
  const forms = Object.entries(words).flatMap(([name, word]) =>
    listForms(word).map(({ encoding, bytes }) => ({ name, encoding, bytes })),
  )
  return surfaces.flatMap(({ place, bytes }) =>
    forms
      .filter((form) => bytes.includes(form.bytes))
      .map(({ name, encoding }) => `${name} as ${encoding} in ${place}`),
  )
}

interface Form {
  encoding: string
  bytes: Buffer
}

function listForms(word: string): Form[] {
  const plain = Buffer.from(word)
  // A key in hex may also leak as the bytes that it stands for.
  const raw = /^0x[0-9a-f]{64}$/.test(word) ? [{ encoding: 'raw bytes', bytes: Buffer.from(word.slice(2), 'hex') }] : []
  const texts: (readonly [encoding: string, text: string])[] = [
    ['text', word],
    ['lower case', word.toLowerCase()],
    ['upper case', word.toUpperCase()],
    ['URL', encodeURIComponent(word)],
    ['JSON', JSON.stringify(word).slice(1, -1)],
    ...[plain, ...raw.map(({ bytes }) => bytes)].flatMap((bytes) => [
      ['hex', bytes.toString('hex')] as const,
      ['upper hex', bytes.toString('hex').toUpperCase()] as const,
      ...listBase64(bytes),
    ]),
  ]
  const all = [
    ...raw,
    { encoding: 'UTF-16', bytes: Buffer.from(word, 'utf16le') },
    ...texts.map(([encoding, text]) => ({ encoding, bytes: Buffer.from(text) })),
  ]
  return all.filter(({ bytes }, index) => all.findIndex((form) => form.bytes.equals(bytes)) === index)
}

/** Base64 of the bytes inside of a longer text: three alignments, without the characters that share bits with neighbours. */
function listBase64(bytes: Buffer): (readonly [encoding: string, text: string])[] {
  return (['base64', 'base64url'] as const).flatMap((encoding) =>
    [0, 1, 2].map((shift) => {
      const text = Buffer.concat([Buffer.alloc(shift), bytes])
        .toString(encoding)
        .replaceAll('=', '')
      const isCut = (bytes.length + shift) % 3 !== 0
      return [encoding, text.slice(Math.ceil((shift * 8) / 6), isCut ? -1 : undefined)] as const
    }),
  )
}
