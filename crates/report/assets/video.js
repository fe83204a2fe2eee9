// A short video of the view: one pass through the frames at the speed that is set.
class Video {
  constructor(player, button) {
    Object.assign(this, { player, button });
    const can = typeof MediaRecorder !== "undefined" && player.stage.canvas.captureStream;
    button.hidden = !can || player.stage.times.length < 2;
    button.addEventListener("click", () => (this.recorder ? this.stop() : this.start()));
  }

  // The kind of file that this browser writes.
  static kind() {
    return ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"].find((kind) => MediaRecorder.isTypeSupported(kind));
  }

  start() {
    const { player, button } = this, chunks = [], kind = Video.kind();
    this.stream = player.stage.canvas.captureStream(30);
    this.recorder = new MediaRecorder(this.stream, { mimeType: kind, videoBitsPerSecond: 8e6 });
    this.recorder.addEventListener("dataavailable", (event) => { if (event.data.size) chunks.push(event.data); });
    this.recorder.addEventListener("stop", () => {
      this.blob = new Blob(chunks, { type: kind });
      download(kind.startsWith("video/mp4") ? "machine.mp4" : "machine.webm", this.blob);
    });
    button.textContent = "■ Stop";
    button.setAttribute("aria-pressed", "true");
    player.show(0, true);
    this.recorder.start();
    player.play(true, { once: true, ended: () => this.stop() });
  }

  stop() {
    if (!this.recorder) return;
    const { recorder, button, player } = this;
    this.recorder = null;
    player.play(false);
    // The last picture is still on its way.
    setTimeout(() => { recorder.stop(); this.stream.getTracks().forEach((track) => track.stop()); }, 120);
    button.textContent = "Video";
    button.setAttribute("aria-pressed", "false");
  }
}
