import { Link } from '@tanstack/react-router'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { Icon } from '#ui/Icon.tsx'
import { useMe } from '../../net/me.ts'
import { placesFor, TABS } from '../../shell/places.ts'
import { Page } from '../../ui/Page.tsx'

/** On phones: all places without a tab. */
export function More() {
  const { role, name } = useMe()
  const places = placesFor(role)
  const tabs = TABS.filter((to) => places.some((place) => place.to === to)).slice(0, 4)
  return (
    <Page title="More">
      <ul className="more">
        {places
          .filter(({ to }) => !tabs.includes(to))
          .map(({ to, name: place, icon }) => (
            <li key={to}>
              <Link to={to}>
                <Icon of={icon} size={22} />
                {place}
              </Link>
            </li>
          ))}
        <li>
          <Link to="/you">
            <Icon of={UserIcon} size={22} />
            {name}
          </Link>
        </li>
      </ul>
    </Page>
  )
}
