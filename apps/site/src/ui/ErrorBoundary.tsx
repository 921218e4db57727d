import { Component, type ReactNode } from 'react'
import { text } from '../text/common.ts'
import { Button, ButtonLink } from './Button.tsx'

const key = 'svc-reloaded-for'

/** Shows a page instead of a white one when a route fails. A file that is gone, after an update, is fetched again by one reload. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(error: Error): void {
    if (isMissingFile(error) && claimReload()) location.reload()
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <section className="stack" role="alert">
        <h1>{text.crash.title}</h1>
        <p className="soft">{isMissingFile(error) ? text.crash.newVersion : text.crash.description}</p>
        <p className="row">
          <Button look="primary" onClick={() => location.reload()}>
            {text.reload}
          </Button>
          <ButtonLink href="/tasks">{text.notFound.explore}</ButtonLink>
        </p>
        <p className="tiny faint code">{error.message.slice(0, 300)}</p>
      </section>
    )
  }
}

const isMissingFile = (error: Error): boolean =>
  /dynamically imported module|importing a module script|preload css|module script failed/i.test(error.message)

/** Whether this page may reload by itself: once for each path, so that it cannot go on for ever. */
function claimReload(): boolean {
  try {
    if (sessionStorage.getItem(key) === location.pathname) return false
    sessionStorage.setItem(key, location.pathname)
    return true
  } catch {
    return false
  }
}
