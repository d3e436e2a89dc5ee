// The filters of the delivery log: status and event type.
import { useId } from 'preact/hooks'
import { deliveredTypes } from '../webhook-events.ts'
import { type LogPlace, logStatuses } from './delivery-log-place.ts'
import { deliveryStates } from './delivery-words.ts'

interface DeliveryLogFiltersProps {
  readonly place: LogPlace
  readonly onChange: (change: Partial<LogPlace>) => void
}

export function DeliveryLogFilters({ place, onChange }: DeliveryLogFiltersProps) {
  const id = useId()
  return (
    <div class="log-filters">
      <div class="field">
        <label for={`${id}-status`}>Status</label>
        <select
          id={`${id}-status`}
          value={place.status}
          onChange={(event) => onChange({ status: event.currentTarget.value })}
        >
          <option value="">All</option>
          {logStatuses.map((status) => (
            <option key={status} value={status}>
              {deliveryStates[status][0]}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for={`${id}-type`}>Event</label>
        <select
          id={`${id}-type`}
          value={place.type}
          onChange={(event) => onChange({ type: event.currentTarget.value })}
        >
          <option value="">All</option>
          {deliveredTypes.map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
