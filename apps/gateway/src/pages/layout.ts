import type { BlockRef } from '@svc/chain'
import { type Html, html } from './html.ts'
import { age } from './moments.ts'

/** The pages in the navigation, by path. */
export const navigation = [
  ['/', 'Hub'],
  ['/market.html', 'Market'],
  ['/leaderboard.html', 'Leaderboard'],
  ['/treasury-dashboard.html', 'Treasury'],
] as const

/** Blocks come every 200 ms: if the newest is older than this, the chain or its provider is stuck. */
const staleAfter = 60

/** The contents of a page. */
export interface PageParts {
  /** Title of the browser tab. */
  title: string
  /** The page's entry in the navigation; null if it has none. */
  path: string | null
  /** The block that the page shows; null if there is none. */
  block: BlockRef | null
  body: Html
  /** Names of modules and style sheets under /assets, without extension. */
  modules?: readonly string[]
  sheets?: readonly string[]
  /** Refresh interval in seconds; absent for a page that refreshes itself. */
  refresh?: number
}

/** Renders a complete page around its body. `banner` is what every page says of its chain. */
export function layout(
  { title, path, block, body, modules = [], sheets = [], refresh }: PageParts,
  now: number,
  banner: string | null,
): string {
  const { markup } = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Task Market</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="preload" href="/assets/geist-latin-wght-normal.woff2" as="font" type="font/woff2" crossorigin>
${['font', 'tokens', 'base', 'parts', 'tables', ...sheets].map((name) => html`<link rel="stylesheet" href="/assets/${name}.css">\n`)}${['page', ...modules].map((name) => html`<script type="module" src="/assets/${name}.js"></script>\n`)}</head>
<body${refresh ? html` data-refresh="${refresh}"` : ''}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<div class="wide">
<a class="mark" href="/"><img src="/assets/icon.svg" alt="" width="24" height="24">Task Market</a>
<nav aria-label="Pages"><ul>${navigation.map(([href, name]) => html`<li><a href="${href}"${href === path ? html` aria-current="page"` : ''}>${name}</a></li>`)}</ul></nav>
<p class="head" data-live="head">${block ? renderHead(block, now) : html`<span class="dot bad"></span>Chain not read`}</p>
</div>
</header>
<main id="main" class="wide" tabindex="-1">
${banner && html`<p class="notice warn">${banner}</p>\n`}<p class="notice warn" id="stale" role="status" hidden></p>
${body}
</main>
<footer class="wide">
<p>Served from this machine. Every figure is read from the chain; nothing here is decided by this page.</p>
</footer>
</body>
</html>
`
  return `<!doctype html>\n${markup}`
}

function renderHead({ number, timestamp }: BlockRef, now: number): Html {
  const isStale = now - timestamp > staleAfter
  return html`<span class="dot${isStale ? ' warn' : ''}"></span>Block ${number.toLocaleString('en')}, ${age(timestamp, now)}${isStale && html`<span class="unseen"> (the chain or its provider stands still)</span>`}`
}
