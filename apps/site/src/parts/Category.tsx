import { AudioLines, Code, Eye, Globe, Map as MapIcon, Pencil, Table } from 'lucide-react'
import '../style/category.css'

/** The seven kinds of tasks, and the tags or words that say so. The first that matches wins. */
const categories = [
  ['testing', Eye, /^(?:testing|accessibility|usability|design|packaging|ux)$/],
  ['languages', Globe, /^(?:translat\w+|subtitles|proofreading)$/],
  ['audio', AudioLines, /^(?:audio|voice|music|podcast)$/],
  ['maps', MapIcon, /^(?:maps?|gis|geo)$/],
  ['data', Table, /^(?:data|spreadsheet|statistics|ocr|research|labelling|compare)$/],
  [
    'code',
    Code,
    /^(?:solidity|audit|typescript|javascript|python|django|rust|go|java|kotlin|ios|android|code|api|sql|search)$/,
  ],
] as const

type CategoryName = (typeof categories)[number][0] | 'writing'

/** Finds the kind of a task by its tags, then by the words of its title; writing if none says more. */
function findCategory(tags: readonly string[], title: string): CategoryName {
  for (const words of [tags, title.toLowerCase().split(/[^a-z]+/)]) {
    const found = categories.find(([, , pattern]) => words.some((word) => pattern.test(word)))
    if (found) return found[0]
  }
  return 'writing'
}

interface CategoryTileProps {
  tags?: readonly string[] | undefined
  title: string | undefined
  size: number
}

/** The kind of a task as a small picture. Its tint says nothing more. */
export function CategoryTile({ tags = [], title = '', size }: CategoryTileProps) {
  const name = findCategory(tags, title)
  const Icon = categories.find(([each]) => each === name)?.[1] ?? Pencil
  return (
    <span className={`tile tile-${name}`} style={{ inlineSize: size, blockSize: size }}>
      <Icon size={Math.round(size * 0.44)} aria-hidden="true" />
    </span>
  )
}
