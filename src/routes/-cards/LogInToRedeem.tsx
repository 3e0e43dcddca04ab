import { Link, Navigate } from '@tanstack/react-router'
import { LogInForm } from '#features/account/LogInForm.tsx'
import { addressOf } from '#features/cards/model.ts'
import { useRedemption } from '#features/cards/store.ts'
import { logIn } from '#session/log-in.ts'
import { RedeemersStep } from './RedeemersStep.tsx'
import { useComingIn } from '#features/cards/use-coming-in.ts'

/** RDM-05, RDM-16, RDM-24. */
export function LogInToRedeem({ spiSIN }: { spiSIN: string | null }) {
  const stored = useRedemption((state) => (state.stored?.spiSIN === spiSIN ? state.stored : null))
  const { alreadyIn, comeIn } = useComingIn(spiSIN)
  if (alreadyIn) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  return (
    <RedeemersStep heading="Log in" stored={stored}>
      <LogInForm
        logIn={(email, password) => comeIn(() => logIn(email, password))}
        // `comeIn` has led on.
        onDone={() => undefined}
        others={
          <>
            <Link to="/forgot-password">Forgotten your password?</Link>
            <Link {...addressOf({ step: 'sign-up', spiSIN })}>Create an account</Link>
          </>
        }
      />
    </RedeemersStep>
  )
}
