import { ArrowClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowClockwise'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Refusal } from '#writes/Refusal.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { emailName } from './email-name.ts'
import { Fate } from './Fate.tsx'

/** An email that waits or was given up: what it says, and once more. */
export function UnsentDrawer() {
  const { id } = useParams({ from: '/shell/emails/waiting/$id' })
  const may = useMay()
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/emails' })
  const { data, error, refetch } = useQuery({
    queryKey: ['emails', 'unsent', id],
    queryFn: () => officeCall('GET /api/office/emails/{id}', { params: { id } }),
  })
  const again = useAct(() => officeCall('POST /api/office/emails/{id}/again', { params: { id } }), {
    changes: [['emails']],
    done: () => 'It is on its way.',
    onDone: close,
  })
  return (
    <Drawer
      isLook
      title={data ? emailName(data.kind) : 'Email'}
      onClose={close}
      footer={
        may('emails.send') && (
          <Button
            look="beak"
            icon={ArrowClockwiseIcon}
            sends
            busy={again.busy}
            why={data && data.text === null ? 'What it said was true for its day alone.' : undefined}
            onClick={() => void again.write()}
          >
            {data?.fate === 'waiting' ? 'Try it now' : 'Send again'}
          </Button>
        )
      }
    >
      <Refusal message={again.refusal} />
      {error && !data ? (
        <Failed what="The email" problem={error} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          <p>
            <Fate email={data} />
          </p>
          <p className="muted email-to">To {data.to ?? 'an address that was erased'}</p>
          {data.text !== null && (
            <div className="letter">
              <b>{data.subject}</b>
              {data.text}
            </div>
          )}
          {data.isRebuilt && (
            <p className="hint">
              Written again from today’s data, so sums and titles may differ. A link in it will be new.
            </p>
          )}
        </>
      ) : (
        <Loading what="the email" />
      )}
    </Drawer>
  )
}
