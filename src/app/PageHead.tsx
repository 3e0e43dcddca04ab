import { PRODUCT } from '#contract/limits.ts'

interface PageHeadProps {
  /** The page's name: its main heading, or the title of the book (NAV-52). */
  title: string
  description?: string | null
  /** Path of the page under its one true address. */
  canonical?: string
  /** Personal screens are nobody else's business. */
  hidden?: boolean
}

/** Title and description; React carries them into the document's head. */
export function PageHead({ title, description, canonical, hidden }: PageHeadProps) {
  return (
    <>
      <title>{`${title} | ${PRODUCT}`}</title>
      {description && <meta name="description" content={description} />}
      {canonical && <link rel="canonical" href={canonical} />}
      {hidden && <meta name="robots" content="noindex" />}
    </>
  )
}
