/** How long the words of the HTML may stand in for a page that is still reading. */
const patienceMs = 1_000

/** Shows the app in place of the HTML's first words as soon as it has more to show than placeholders. */
export function replaceFirstWords(root: HTMLElement): void {
  const first = document.getElementById('first')
  if (!first) return
  const show = () => {
    observer.disconnect()
    clearTimeout(timer)
    first.remove()
    root.hidden = false
  }
  const observer = new MutationObserver(() => {
    if (root.firstChild && !root.querySelector('main .skeleton')) show()
  })
  observer.observe(root, { childList: true, subtree: true })
  const timer = setTimeout(show, patienceMs)
}
