import { homeText } from './text/home.ts'

/** Writes the top of the first page as HTML: the same words and classes as `StrangerHome`, so that nothing moves when it takes over. */
export function writeFirstPage(): string {
  const lines = homeText.titleLines.map((line) => `<span>${line} </span>`).join('')
  return `<div class="home"><section class="hero"><div class="hero-text"><h1>${lines}</h1><p class="hero-lead soft">${homeText.lead}</p></div></section></div>`
}
