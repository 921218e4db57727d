/** Markup that is safe to send: built by `html`, or empty. */
export interface Html {
  readonly markup: string
}

/** Values allowed in a template. Text is escaped; false, null and undefined render nothing. */
export type Content = Html | string | number | bigint | false | null | undefined | readonly Content[]

/** Builds markup from a template. Values are escaped, except markup built by this function. */
export function html(literals: TemplateStringsArray, ...values: readonly Content[]): Html {
  return { markup: literals.reduce((made, literal, index) => made + renderContent(values[index - 1]) + literal) }
}

/** Embeds data for the page's modules in a block of type application/json. */
export function dataBlock(id: string, data: unknown): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return { markup: `<script type="application/json" id="${escaped(id)}">${json}</script>` }
}

function renderContent(value: Content): string {
  if (value === false || value === null || value === undefined) return ''
  if (isList(value)) return value.map(renderContent).join('')
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
