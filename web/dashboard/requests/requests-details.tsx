// Shows all details of one request: the full path, and a curl command that repeats it.
import type { RequestLine } from '../../account-api.ts'
import { curlOf } from '../../scripts/curl.ts'
import { localTime, utcTime } from '../../scripts/local-time.ts'
import { start } from '../account.ts'
import { keyHint } from '../keys/key-data.ts'
import { Code, CopyButton } from '../parts/copy.tsx'
import { durationText } from './requests-duration.ts'

export function RequestsDetails({ call }: { call: RequestLine }) {
  const { at, method, path, duration_ms, key, request_id } = call
  return (
    <div class="stack">
      <dl class="call-facts">
        <div>
          <dt>Time</dt>
          <dd>
            {localTime(at)} <span class="note">{utcTime(at)}</span>
          </dd>
        </div>
        <div>
          <dt>Duration</dt>
          <dd>{durationText(duration_ms)}</dd>
        </div>
        <div>
          <dt>Key</dt>
          <dd>
            {key === null ? (
              'No longer stored'
            ) : (
              <>
                {key.name} <code>{keyHint(key)}</code>
              </>
            )}
          </dd>
        </div>
        <div class="call-path">
          <dt>Request ID</dt>
          <dd>
            <code>{request_id}</code> <CopyButton text={request_id} what="request ID" />
          </dd>
        </div>
        <div class="call-path">
          <dt>Path</dt>
          <dd>
            <code>{path}</code>
          </dd>
        </div>
      </dl>
      {method === 'GET' && <Code label="Repeat this request" text={curlOf(start.baseUrl + path)} />}
    </div>
  )
}
