import type { ReactNode } from 'react'

/** A part of the page with its heading. */
export const Section = ({ title, says, children }: { title: string; says: string | null; children: ReactNode }) => (
  <section>
    <div className="stack tight">
      <h2>{title}</h2>
      {says && <p className="small soft">{says}</p>}
    </div>
    {children}
  </section>
)
