import { type Html, html } from './html.ts'

/** Renders an error: what happened, and what to do. */
export function errorBody(heading: string, words: string, wayOut: Html): Html {
  return html`<section class="blank">
<h1>${heading}</h1>
<p>${words}</p>
<p>${wayOut}</p>
</section>`
}
