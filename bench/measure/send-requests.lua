-- The script of wrk: sends the requests of a file (see request-file.ts) in order, and prints the
-- result as one line of JSON. Arguments after `--`: the file, and how many requests to skip.
local requests = {}
local position = 0

function init(args)
  local headers = ''
  local lines = io.lines(args[1])
  for line in lines do
    if line == '' then break end
    headers = headers .. line .. '\r\n'
  end
  for line in lines do
    local path, etag, key = line:match('^([^\t]+)\t?([^\t]*)\t?(.*)$')
    local condition = etag == '' and '' or 'If-None-Match: ' .. etag .. '\r\n'
    if key ~= '' then condition = condition .. 'Authorization: Bearer ' .. key .. '\r\n' end
    requests[#requests + 1] = 'GET ' .. path .. ' HTTP/1.1\r\n' .. headers .. condition .. '\r\n'
  end
  position = tonumber(args[2])
  io.write('READY\n')
  io.flush()
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  local quantiles = {}
  -- Every 0.1 % quantile, so that several runs can be combined.
  for thousandth = 1, 999 do quantiles[thousandth] = string.format('%d', latency:percentile(thousandth / 10)) end
  io.write(string.format(
    '\nRESULT {"requests":%d,"durationUs":%d,"bytes":%d,"statusErrors":%d,"socketErrors":%d,"maxUs":%d,"quantilesUs":[%s]}\n',
    summary.requests, summary.duration, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, latency.max, table.concat(quantiles, ',')
  ))
end
