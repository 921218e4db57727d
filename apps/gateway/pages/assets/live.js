/** Timeout: no response of the gateway takes longer. */
const patienceMs = 15_000

/**
 * Fetches this page again and replaces its live parts. A part in use (focus, open details or a selection) is kept, unless
 * it is named. Throws if there is no response.
 */
export async function refresh(...names) {
  const response = await fetch(location.href, { signal: AbortSignal.timeout(patienceMs), cache: 'no-store' })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (!response.ok) throw new Error(page.querySelector('h1')?.textContent ?? `status ${response.status}`)
  for (const shown of document.querySelectorAll('[data-live]')) {
    const name = shown.dataset.live
    const fresh = page.querySelector(`[data-live="${name}"]`)
    if (names.length > 0 ? !names.includes(name) : isInUse(shown)) continue
    if (!fresh) shown.remove()
    else if (fresh.outerHTML !== shown.outerHTML) replace(shown, document.adoptNode(fresh))
  }
}

/** Restores the focus if the focused element can be identified. */
function replace(shown, fresh) {
  const focused = shown.contains(document.activeElement) ? document.activeElement.id : ''
  shown.replaceWith(fresh)
  if (focused) document.getElementById(focused)?.focus()
}

function isInUse(part) {
  return part.contains(document.activeElement) || part.querySelector('details[open]') !== null || hasSelection(part)
}

function hasSelection(part) {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode)
}
