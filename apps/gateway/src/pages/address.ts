import { type Html, html } from './html.ts'

/** Renders an address or hash: shortened on screen, complete for the clipboard and screen readers. */
export function shortHex(hex: string): Html {
  return html`<span class="hex" title="${hex}"><span aria-hidden="true">${hex.slice(0, 6)}…${hex.slice(-4)}</span><span class="unseen">${hex}</span></span>`
}

/** Renders a button that copies a text. It needs scripts and is hidden without them. */
export function copyButton(text: string, what: string): Html {
  return html`<button type="button" class="copy needs-script" data-copy="${text}" aria-label="Copy ${what}"><img src="/assets/copy.svg" alt="" width="16" height="16"><span class="copy-done" aria-live="polite"></span></button>`
}

/** Renders lines to copy into a terminal or a file. */
export function codeBlock(text: string, what: string): Html {
  return html`<div class="code"><pre tabindex="0" role="region" aria-label="${what}"><code>${text}</code></pre>${copyButton(text, what)}</div>`
}
