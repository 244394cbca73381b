// Pages that stand in for the players of other sites: they know their messages, and show their time.

export const YOUTUBE_PLAYER = `<!doctype html><title>Player</title><output></output><script>
  let seconds = 0, isPlaying = false;
  const report = (event) => {
    document.querySelector('output').textContent = seconds.toFixed(2);
    parent.postMessage(JSON.stringify({ event, info: { currentTime: seconds, duration: 600, playerState: isPlaying ? 1 : 2 } }), '*');
  };
  addEventListener('message', ({ data }) => {
    const { event, func, args } = JSON.parse(data);
    if (event === 'listening') report('initialDelivery');
    if (func === 'seekTo') seconds = args[0];
    if (func === 'playVideo') isPlaying = true;
    if (func === 'pauseVideo') isPlaying = false;
    if (event === 'command') report('infoDelivery');
  });
  setInterval(() => { if (isPlaying) { seconds += 0.2; report('infoDelivery'); } }, 200);
</script>`;

export const VIMEO_PLAYER = `<!doctype html><title>Player</title><output></output><script>
  let seconds = 0, isPlaying = false;
  const heard = new Set();
  const report = (event, data = { seconds, duration: 600 }) => {
    document.querySelector('output').textContent = seconds.toFixed(2);
    if (event === 'ready' || heard.has(event)) parent.postMessage(JSON.stringify({ event, data }), '*');
  };
  addEventListener('message', ({ data }) => {
    const { method, value } = JSON.parse(data);
    if (method === 'addEventListener') heard.add(value);
    if (method === 'setCurrentTime') { seconds = value; report('seeked'); report('timeupdate'); }
    if (method === 'play') { isPlaying = true; report('play'); }
    if (method === 'pause') { isPlaying = false; report('pause'); }
  });
  report('ready');
  setInterval(() => { if (isPlaying) { seconds += 0.2; report('timeupdate'); } }, 200);
</script>`;

/** Obeys from a press on, and lists the commands that come from then on. */
export const LATE_PLAYER = `<!doctype html><title>Player</title><button onclick="isReady = true">Begin</button><output></output><script>
  let isReady = false;
  addEventListener('message', ({ data }) => {
    const { event, func, args } = JSON.parse(data);
    if (!isReady) return;
    if (event === 'listening')
      parent.postMessage(JSON.stringify({ event: 'initialDelivery', info: { currentTime: 0, duration: 600, playerState: 2 } }), '*');
    if (func) document.querySelector('output').textContent += func + ' ' + args + '; ';
  });
</script>`;
