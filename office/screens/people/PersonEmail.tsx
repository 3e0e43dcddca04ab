import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Refusal } from '#writes/Refusal.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { isRefused, problemWords, useAct } from '../../net/use-act.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { changesOf } from './person-query.ts'

/** An email as they read it; it can be sent again. */
export function PersonEmail() {
  const params = useParams({ from: '/shell/people/$id/emails/$mail' })
  const navigate = useNavigate()
  const may = useMay()
  const close = () => void navigate({ to: '/people/$id', params: { id: params.id } })
  const { data, error, refetch } = useQuery({
    queryKey: ['person', params.id, 'email', params.mail],
    queryFn: () => officeCall('GET /api/office/people/{id}/emails/{mail}', { params }),
    retry: false,
  })
  const again = useAct(() => officeCall('POST /api/office/people/{id}/emails/{mail}/again', { params }), {
    changes: changesOf(params.id),
    done: ({ to }) => `On its way to ${to}.`,
    onDone: close,
  })
  return (
    <Drawer isLook title={data?.subject ?? 'Email'} onClose={close}>
      <Refusal message={again.refusal} />
      {data ? (
        <>
          <p className="person-email">{data.text}</p>
          {data.isRebuilt && (
            <p className="hint">
              What was sent is kept for 90 days. This is written from today’s data, so sums and titles may
              differ from what they read.
            </p>
          )}
          {may('emails.send') && (
            <Button look="solid" busy={again.busy} sends onClick={() => void again.write()}>
              Send it again
            </Button>
          )}
          <p className="hint">A link in it is replaced, and the old one stops working.</p>
        </>
      ) : isRefused(error, 404) ? (
        <p>{problemWords(error)}</p>
      ) : error ? (
        <Failed what="The email" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the email" />
      )}
    </Drawer>
  )
}
