import { text } from '../text/common.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { usePageTitle } from '../usePageTitle.ts'

/** The page for a path that leads nowhere. */
export function NotFound() {
  usePageTitle(text.notFound.title)
  return (
    <section className="stack">
      <h1>{text.notFound.title}</h1>
      <p className="soft">{text.notFound.description}</p>
      <p>
        <ButtonLink href="/tasks" look="primary">
          {text.notFound.explore}
        </ButtonLink>
      </p>
    </section>
  )
}
