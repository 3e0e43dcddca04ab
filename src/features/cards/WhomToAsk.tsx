import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { settingsQuery } from './queries.ts'

/** For a reader: the shop's mailbox, and while that is not known the page that has it. */
export function SupportMail() {
  const { supportMail, supportPhone } = useQuery(settingsQuery()).data ?? {}
  if (supportMail)
    return (
      <>
        <Mail to={supportMail} />
        {supportPhone && (
          <>
            {' '}
            or <Phone number={supportPhone} />
          </>
        )}
      </>
    )
  return (
    <Link to="/info/$slug" params={{ slug: 'support' }}>
      our support page
    </Link>
  )
}

export const Mail = ({ to }: { to: string }) => <a href={`mailto:${to}`}>{to}</a>
export const Phone = ({ number }: { number: string }) => (
  <a href={`tel:${number.replaceAll(' ', '')}`}>{number}</a>
)
