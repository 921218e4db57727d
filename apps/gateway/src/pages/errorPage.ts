import { type Html, html } from './html.ts'

/** What is shown instead of a page: what happened, and the way out. */
export function errorBody(heading: string, words: string, wayOut: Html): Html {
  return html`<section class="blank">
<h1>${heading}</h1>
<p>${words}</p>
<p>${wayOut}</p>
</section>`
}
