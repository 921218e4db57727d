import { duration } from './duration.js'
import { refresh } from './live.js'

const longest = 60_000

setInterval(tick, 1_000)
document.addEventListener('click', copy)
const every = Number(document.body.dataset.refresh ?? 0) * 1_000
if (every > 0) keepFresh()

/** Updates ages and countdowns. */
function tick() {
  const now = Date.now() / 1_000
  for (const each of document.querySelectorAll('[data-age]')) {
    write(each, `${duration(Math.max(0, now - Number(each.dataset.age)))} ago`)
  }
  for (const each of document.querySelectorAll('[data-until]')) {
    const left = Number(each.dataset.until) - now
    write(each, left > 0 ? `in ${duration(left)}` : each.dataset.over)
  }
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text
}

async function copy({ target }) {
  const button = target.closest?.('[data-copy]')
  if (!button) return
  const said = button.querySelector('.copy-done')
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    said.textContent = 'Copied'
  } catch {
    said.textContent = 'Not allowed here: select and copy by hand'
  }
  setTimeout(() => {
    said.textContent = ''
  }, 1_500)
}

/** Refreshes the page while it is visible. Backs off on failure and shows how old the data is. */
function keepFresh() {
  const stale = document.getElementById('stale')
  let wait = every
  let failedSince = null
  const look = async () => {
    if (document.visibilityState === 'visible') {
      try {
        await refresh()
        wait = every
        failedSince = null
        stale.hidden = true
      } catch (error) {
        wait = Math.min(2 * wait, longest)
        failedSince ??= new Date()
        stale.textContent = `No newer data since ${utc(failedSince)}: ${reasonOf(error)} What you see is from before. Next try in ${duration(wait / 1_000)}.`
        stale.hidden = false
      }
    }
    setTimeout(look, wait)
  }
  setTimeout(look, wait)
}

const utc = (date) => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`

const reasonOf = (error) =>
  error instanceof TypeError || error.name === 'TimeoutError' ? 'the gateway does not answer.' : `${error.message}.`
