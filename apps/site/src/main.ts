import '@svc/design/font.css'
import '@svc/design/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/parts.css'
import './style/actions.css'
import './style/first.css'
import { applyTheme } from './theme.ts'

/** What the HTML says when the app itself does not load. */
const firstText = {
  failed: 'The rest of this page did not load. Check your connection, then try again.',
  reload: 'Reload',
} as const

applyTheme()
// The placeholder in the HTML is painted before the app starts to run: a frame, then the task after it. A tab in the background
// paints no frames.
const start = () => void import('./start.tsx').catch(explainFailure)
if (document.visibilityState === 'visible') requestAnimationFrame(() => setTimeout(start))
else start()

/** Says below the placeholder that the rest did not load, and offers to reload. */
function explainFailure(): void {
  const note = document.createElement('p')
  note.className = 'first-lead'
  note.setAttribute('role', 'alert')
  const link = document.createElement('a')
  link.href = location.href
  link.textContent = firstText.reload
  note.append(`${firstText.failed} `, link)
  document.querySelector('#first main .wrap')?.append(note)
}
