import '@svc/design/font.css'
import '@svc/design/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/parts.css'
import './style/actions.css'
import './style/first.css'
import { applyTheme } from './theme.ts'

applyTheme()
// The first words of the HTML are painted before the app takes the processor: a frame, then the task after it. A tab in the
// background paints no frames.
const start = () => void import('./start.tsx')
if (document.visibilityState === 'visible') requestAnimationFrame(() => setTimeout(start))
else start()
