import { useRouter } from '@tanstack/react-router'
import type { Thing } from './structured-data.ts'

/** What the page is about, for machines: inert JSON, so that no policy has to allow it. */
export function StructuredData({ of }: { of: (origin: string) => readonly Thing[] }) {
  const { origin = '' } = useRouter()
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': of(origin) }).replaceAll(
    '<',
    '\\u003c',
  )
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />
}
