import { useRouter } from '@tanstack/react-router'
import { shop } from '#features/shop-details/shop.ts'

interface PageHeadProps {
  /** The page's name: its main heading, or the title of the book (NAV-52). */
  title: string
  description?: string | null
  canonical?: string
  /** Path of the picture for link previews. */
  image?: string | null
  type?: 'website' | 'article' | 'book'
  /** The same list as a feed for feed readers or reading apps. */
  feed?: { type: 'application/rss+xml' | 'application/opds+json'; title: string; path: string }
  /** Keeps personal screens out of search engines. */
  hidden?: boolean
}

/** Title, description and link preview; React hoists them into the document's head. */
export function PageHead({
  title,
  description,
  canonical,
  image,
  type = 'website',
  feed,
  hidden,
}: PageHeadProps) {
  const { origin } = useRouter()
  return (
    <>
      <title>{`${title} | ${shop().name}`}</title>
      {description && <meta name="description" content={description} />}
      {hidden && <meta name="robots" content="noindex" />}
      {canonical && (
        <>
          <link rel="canonical" href={origin + canonical} />
          <meta property="og:site_name" content={shop().name} />
          <meta property="og:title" content={title} />
          <meta property="og:type" content={type} />
          <meta property="og:url" content={origin + canonical} />
          {description && <meta property="og:description" content={description} />}
          <meta property="og:image" content={origin + (image ?? '/icons/icon-512.png')} />
          <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
        </>
      )}
      {feed && <link rel="alternate" type={feed.type} title={feed.title} href={feed.path} />}
    </>
  )
}
