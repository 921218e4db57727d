import type { Market } from '@svc/protocol'
import { Link } from '../router.tsx'
import { exploreText as labels } from '../text/explore.ts'
import '../style/tagLink.css'

/** A tag of a task, which leads to the other tasks with it. */
export const TagLink = ({ tag, market }: { tag: string; market: Market }) => (
  <Link
    className="tag tag-link"
    href={`/tasks?${new URLSearchParams({ market, tags: tag })}`}
    title={labels.searchTag(tag)}
  >
    #{tag}
  </Link>
)
