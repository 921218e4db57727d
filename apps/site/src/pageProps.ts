/** What a page gets: the parameters of its path. */
export interface PageProps {
  params: Readonly<Record<string, string>>
}
