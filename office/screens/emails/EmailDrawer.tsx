import { PaperPlaneTiltIcon } from '@phosphor-icons/react/dist/csr/PaperPlaneTilt'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { addressOf } from '#net/call.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { emailName } from './email-name.ts'
import './emails.css'

/** One email of the shop as its reader sees it, and a test of it to oneself. */
export function EmailDrawer() {
  const { kind } = useParams({ from: '/shell/emails/$kind' })
  const may = useMay()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    queryKey: ['emails', 'templates', kind],
    queryFn: () => officeCall('GET /api/office/emails/templates/{kind}', { params: { kind } }),
  })
  const test = useAct(
    () => officeCall('POST /api/office/emails/templates/{kind}/test', { params: { kind } }),
    {
      changes: [['emails']],
      done: ({ to }) => `A test is on its way to ${to}.`,
    },
  )
  return (
    <Drawer
      isLook
      title={emailName(kind)}
      onClose={() => void navigate({ to: '/emails' })}
      footer={
        may('emails.send') && (
          <Button
            look="beak"
            icon={PaperPlaneTiltIcon}
            sends
            busy={test.busy}
            onClick={() => void test.write()}
          >
            Send a test to myself
          </Button>
        )
      }
    >
      <Refusal message={test.refusal} />
      {error && !data ? (
        <Failed what="The email" problem={error} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          <p className="strong">{data.subject}</p>
          <p className="hint">
            {data.isReal
              ? 'With the data of the last one that was sent. Links and codes that open something are hidden.'
              : 'None was sent yet, so its names and sums are made up.'}
          </p>
          <iframe
            className="email-preview"
            sandbox="allow-same-origin"
            title={`The email “${data.subject}”`}
            src={addressOf('GET /api/office/emails/templates/{kind}/preview', { params: { kind } })}
            onLoad={({ currentTarget: { contentDocument } }) => {
              contentDocument?.addEventListener('click', (event) => event.preventDefault(), true)
            }}
          />
        </>
      ) : (
        <Loading what="the email" />
      )}
    </Drawer>
  )
}
