/**
 * Normalizes text before it is hashed: NFC, line feeds, two spaces for a tab, trimmed. Two people who type the same text must
 * get the same bytes.
 *
 * @example
 * ```ts
 * normalizeText('  Draw a map ') // 'Draw a map'
 * ```
 */
export function normalizeText(text: string): string {
  return text.normalize('NFC').replace(/\r\n?/g, '\n').replaceAll('\t', '  ').trim()
}

/** Whether text contains no hidden characters: no control, bidi or tag characters and no lone surrogates. */
export const isPlainText = (text: string) =>
  text.isWellFormed() && !hidden.test(text.replace(shaping, '')) && text === normalizeText(text)

// Joiners and variation selectors shape letters and emoji. All other invisible characters are rejected.
const shaping = /\u200c|\u200d|[\ufe00-\ufe0f]/g
const hidden = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800\ufff9-\ufffb]/u

/**
 * Makes untrusted text safe to show to people, agents and terminals: line breaks stay, and characters that hide, reorder or
 * control text are replaced by `mark`. Joiners and variation selectors shape letters and emoji but can also carry a hidden
 * message: `strict` replaces them too.
 *
 * @example
 * ```ts
 * sanitizeText('pay\u202eme') // 'pay\ufffdme'
 * ```
 */
export function sanitizeText(text: string, { mark = '\ufffd', strict = false } = {}): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll('\t', '  ')
    .replace(unshown, (letter) => (strict || letter.replace(shaping, '') !== '' ? mark : letter))
}

const unshown =
  /(?!\n)[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800\ufff9-\ufffb]/gu
