import { lazy, Suspense } from 'react'

const Markdown = lazy(async () => ({ default: (await import('./Markdown.tsx')).Markdown }))

/** Markdown for pages that begin without any: its parser is loaded with the first text, which is shown as it is until then. */
export function LazyMarkdown({ of }: { of: string }) {
  const plain = (
    <div className="prose">
      <p className="untrusted" dir="auto">
        {of}
      </p>
    </div>
  )
  return (
    <Suspense fallback={plain}>
      <Markdown of={of} />
    </Suspense>
  )
}
