import { useRouter } from '@tanstack/react-router'
import type { JsonLd } from './structured-data.ts'

/**
 * Says for machines what the page is about. Only the server's markup carries it: `of` makes nothing in the browser,
 * where its code is left out. It goes into the head, beside what hydration looks at.
 */
export function useStructuredData(of: ((origin: string) => readonly JsonLd[]) | false): void {
  const { origin, options } = useRouter()
  if (import.meta.env.SSR && of) Object.assign(options.context.answer, { things: of(origin) })
}
