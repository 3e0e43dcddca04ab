import { Page } from '../../ui/Page.tsx'
import { Failed } from '../../ui/states.tsx'
import { ActivityLines, useActivity } from './ActivityLines.tsx'

export function Activity() {
  const { data, error, refetch } = useActivity({ limit: '200' })
  return (
    <Page
      title="Activity"
      sub="Who did what, in the office and by commands. Nothing here is ever edited or removed."
    >
      {error && !data ? (
        <Failed what="The activity" problem={error} onRetry={() => void refetch()} />
      ) : (
        <ActivityLines entries={data?.rows} />
      )}
    </Page>
  )
}
