import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Refusal } from '#writes/Refusal.tsx'
import { useMay } from '../net/me.ts'
import { officeCall } from '../net/office-call.ts'
import { useAct } from '../net/use-act.ts'
import { Button, TextButton } from '../ui/Button.tsx'
import { Drawer } from '../ui/Drawer.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { exactly } from '../ui/when.ts'
import { changesOf, useEditing } from './use-document.ts'

/** Older versions, newest first; any of them becomes the draft again. */
export function HistoryDrawer() {
  const { name, document, flush, adopt } = useEditing<object>()
  const { kind, key } = name
  const may = useMay()
  const navigate = useNavigate()
  const close = () => void navigate({ to: '..' })
  const { data, error, refetch } = useQuery({
    queryKey: ['versions', kind, key],
    queryFn: () => officeCall('GET /api/office/documents/{kind}/{key}/versions', { params: { kind, key } }),
  })
  const restore = useAct(
    async (id: number) => {
      const version = (await flush()) ?? document.version
      return officeCall('POST /api/office/documents/{kind}/{key}/restore', {
        params: { kind, key },
        body: { id, version },
      })
    },
    {
      changes: changesOf(name),
      done: () => 'The older version is your draft now.',
      onDone: (next) => {
        adopt(next)
        close()
      },
    },
  )
  const discard = useAct(
    () => officeCall('DELETE /api/office/documents/{kind}/{key}/draft', { params: { kind, key } }),
    { changes: changesOf(name), done: () => 'Your changes are in the history.', onDone: adopt },
  )
  const retire = useAct(
    () => officeCall('POST /api/office/documents/{kind}/{key}/retire', { params: { kind, key } }),
    {
      changes: changesOf(name),
      done: () => 'It is in the bin, for 30 days.',
      entry: ({ entry }) => entry,
      onDone: ({ document: next }) => adopt(next),
    },
  )
  const canRetire = may('pages.change') && !ONCE.has(kind) && document.state !== 'binned'
  return (
    <Drawer
      title="History"
      onClose={close}
      footer={
        canRetire && (
          <Button sends busy={retire.busy} onClick={() => void retire.write()}>
            Put into the bin
          </Button>
        )
      }
    >
      <Refusal message={restore.refusal || discard.refusal || retire.refusal} />
      {document.hasDraft && document.published && kind !== 'newsletter' && may('pages.change') && (
        <p className="note spread">
          <span>Something is typed that isn’t published.</span>
          <TextButton onClick={() => void discard.write()}>Give it up</TextButton>
        </p>
      )}
      {error && !data ? (
        <Failed what="The history" problem={error} onRetry={() => void refetch()} />
      ) : data ? (
        data.versions.length === 0 ? (
          <p className="muted">No older version yet.</p>
        ) : (
          <ul className="versions">
            {data.versions.map(({ id, at, by, what, isCurrent }) => (
              <li key={id}>
                <span className="two-lines">
                  <span>{exactly(at)}</span>
                  <small>
                    {what === 'draft' ? `A draft of ${by}` : by}
                    {isCurrent && ', in the shop now'}
                  </small>
                </span>
                {may('pages.change') && !(isCurrent && !document.hasDraft) && (
                  <TextButton
                    aria-label={`Restore the version of ${exactly(at)}`}
                    onClick={() => void restore.write(id)}
                  >
                    Restore
                  </TextButton>
                )}
              </li>
            ))}
          </ul>
        )
      ) : (
        <Loading what="the history" />
      )}
    </Drawer>
  )
}

/** The shop always has these. */
const ONCE: ReadonlySet<string> = new Set(['home', 'menus', 'faq', 'newsletter'])
