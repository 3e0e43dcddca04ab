import type { OfficeDocument } from '#contract/office/documents.ts'
import { State } from '../ui/State.tsx'
import { exactly } from '../ui/when.ts'

/** In a file of its own, because lists show it without the rest of a document's page. */
export function DocumentStateMark({
  document: { state, publishAt, hasDraft },
}: {
  readonly document: Pick<OfficeDocument, 'state' | 'hasDraft'> & { readonly publishAt?: string | null }
}) {
  switch (state) {
    case 'live':
      return hasDraft ? <State kind="half">Changed, not published</State> : <State kind="on">Published</State>
    case 'hidden':
      return <State kind="none">Hidden</State>
    case 'scheduled':
      return <State kind="later">{publishAt ? `From ${exactly(publishAt)}` : 'Later'}</State>
    case 'binned':
      return <State kind="retired">In the bin</State>
    default:
      return <State kind="draft">{hasDraft ? 'Draft' : 'Not published'}</State>
  }
}
