/** Markup that is safe to send: made by `html`, or nothing. */
export interface Html {
  readonly markup: string
}

/** What may stand in a template. Text is escaped; false, null and undefined are nothing. */
export type Content = Html | string | number | bigint | false | null | undefined | readonly Content[]

/** Markup from a template: whatever is put into it is text, unless it is markup of this function's own making. */
export function html(literals: TemplateStringsArray, ...values: readonly Content[]): Html {
  return { markup: literals.reduce((made, literal, index) => made + markupOf(values[index - 1]) + literal) }
}

/** Data that a module of the page reads from a block of type application/json. */
export function dataBlock(id: string, data: unknown): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return { markup: `<script type="application/json" id="${escaped(id)}">${json}</script>` }
}

function markupOf(value: Content): string {
  if (value === false || value === null || value === undefined) return ''
  if (isList(value)) return value.map(markupOf).join('')
  return typeof value === 'object' ? value.markup : escaped(String(value))
}

const isList = (value: Content): value is readonly Content[] => Array.isArray(value)

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
