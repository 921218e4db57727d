import type { CostLine } from '@svc/protocol/internal/actions'
import { type Html, html } from './html.ts'

/** Costs begin with words of the API; pages have one word for each kind of money, as the site has. */
const words = [
  ['Access fee', 'Fee'],
  ['Exit deposit from your wallet, returned', 'Hold, back'],
  ['Reserved from', 'Set aside of'],
] as const

/** Renders what an action costs, item by item. */
export const costList = (costs: readonly CostLine[]): Html =>
  html`<dl class="pairs">${costs.map(({ what, amount }) => html`<div><dt>${words.reduce((text, [from, to]) => text.replace(from, to), what)}</dt><dd class="num">${amount}</dd></div>`)}</dl>`
