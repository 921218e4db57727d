import '@svc/design/font.css'
import '@svc/design/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/parts.css'
import './style/actions.css'
import './style/first.css'
import { firstText } from './text/first.ts'
import { applyTheme } from './theme.ts'

applyTheme()
// The first words of the HTML are painted before the app takes the processor: a frame, then the task after it. A tab in the
// background paints no frames.
const start = () => void import('./start.tsx').catch(explainFailure)
if (document.visibilityState === 'visible') requestAnimationFrame(() => setTimeout(start))
else start()

/** Says below the first words that there is more, and how to get it. */
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
