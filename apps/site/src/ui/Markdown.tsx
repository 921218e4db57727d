import { sanitizeText } from '@svc/protocol'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { createElement, Fragment, type ReactNode, useMemo } from 'react'

type Node = ReturnType<typeof fromMarkdown>['children'][number]

/** The rest of a longer text is not shown. */
export const maxMarkdownLength = 20_000

/**
 * Strangers' Markdown as elements of a fixed list: no HTML, no images, no scripts. A link leaves the site, says so, and passes
 * nothing on. Each block has its own direction, so that one line of Hebrew does not turn the English around it.
 */
export function Markdown({ of }: { of: string }) {
  const content = useMemo(() => renderMarkdown(of), [of])
  return <div className="prose">{content}</div>
}

function renderMarkdown(given: string): ReactNode {
  const text = sanitizeText(given).slice(0, maxMarkdownLength)
  return isCheap(text) ? (
    renderNodes(fromMarkdown(text).children)
  ) : (
    <p className="untrusted" dir="auto">
      {text}
    </p>
  )
}

/** Quotes and lists at the start of a line, which nest, and marks in a paragraph, which the parser compares with each other. */
const limits = { containers: 40, marks: 1_000 }

/** Whether the parser needs only a moment: 20,000 stars take it 20 seconds. Other text is shown as it was written. */
export function isCheap(text: string): boolean {
  const nests = text.split('\n').some((line) => count(containers.exec(line)?.[0] ?? '', />|\S+ /g) > limits.containers)
  return !nests && text.split(/\n[ ]*\n/).every((paragraph) => count(paragraph, /[*_[\]!`<]/g) <= limits.marks)
}

const containers = /^(?: {0,4}(?:>|(?:[*+-]|\d{1,9}[.)]) ))*/
const count = (text: string, mark: RegExp): number => text.match(mark)?.length ?? 0

const renderNodes = (nodes: readonly Node[]): ReactNode[] =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes its order
  nodes.map((node, index) => <Fragment key={index}>{renderNode(node)}</Fragment>)

function renderNode(node: Node): ReactNode {
  switch (node.type) {
    case 'text':
      return node.value
    case 'paragraph':
      return <p dir="auto">{renderNodes(node.children)}</p>
    case 'heading':
      // A page has its own first and second level.
      return createElement(node.depth < 3 ? 'h3' : 'h4', { dir: 'auto' }, renderNodes(node.children))
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1}>{renderNodes(node.children)}</ol>
      ) : (
        <ul>{renderNodes(node.children)}</ul>
      )
    case 'listItem':
      return (
        <li dir="auto">
          {node.children.map((child) =>
            child.type === 'paragraph' ? renderNodes(child.children) : renderNodes([child]),
          )}
        </li>
      )
    case 'emphasis':
      return <em>{renderNodes(node.children)}</em>
    case 'strong':
      return <strong>{renderNodes(node.children)}</strong>
    case 'inlineCode':
      return <code className="code">{node.value}</code>
    case 'code':
      return (
        <pre className="code">
          <code>{node.value}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{renderNodes(node.children)}</blockquote>
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'link':
      return /^https?:\/\//i.test(node.url) ? (
        <a href={node.url} rel="noopener noreferrer nofollow ugc" target="_blank" title={node.url}>
          {renderNodes(node.children)} ↗
        </a>
      ) : (
        renderNodes(node.children)
      )
    case 'html':
      // Shown as it was written, never as markup.
      return node.value
    default:
      return 'children' in node ? renderNodes(node.children) : 'alt' in node ? node.alt : null
  }
}
