-- The script of wrk: requests the paths of a file in order, from a given line on, and prints the result as one line of
-- JSON. Arguments after `--`: the file, and how many lines to skip.
local requests = {}
local position = 0

function init(args)
  local skipped = tonumber(args[2])
  for path in io.lines(args[1]) do
    if skipped > 0 then skipped = skipped - 1
    else requests[#requests + 1] = wrk.format('GET', path) end
  end
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
