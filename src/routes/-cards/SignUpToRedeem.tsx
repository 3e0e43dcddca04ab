import { Link, Navigate, useNavigate } from '@tanstack/react-router'
import { register } from '#features/account/mutations.ts'
import { RedeemerForm } from '#features/account/RedeemerForm.tsx'
import { addressOf } from '#features/cards/model.ts'
import { useRedemption } from '#features/cards/store.ts'
import { openSession } from '#session/log-in.ts'
import { RedeemersStep } from './RedeemersStep.tsx'
import { useComingIn } from '#features/cards/use-coming-in.ts'

/** RDM-06, RDM-25. */
export function SignUpToRedeem({ spiSIN }: { spiSIN: string | null }) {
  const navigate = useNavigate()
  const stored = useRedemption((state) => (state.stored?.spiSIN === spiSIN ? state.stored : null))
  const { alreadyIn, comeIn } = useComingIn(spiSIN)
  if (alreadyIn) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  return (
    <RedeemersStep heading="Create an account" stored={stored}>
      <RedeemerForm
        register={async (registration) => {
          const pair = await register(registration)
          // The account exists, whether or not this device can log in now; the code waits for another try.
          await comeIn(() => openSession(pair)).catch(() =>
            navigate({ ...addressOf({ step: 'login', spiSIN }), replace: true }),
          )
        }}
        others={<Link {...addressOf({ step: 'login', spiSIN })}>I have an account</Link>}
      />
    </RedeemersStep>
  )
}
